/** /proc entries of a process in the group `/pod/app`, in both cgroup versions. */
export const inGroupOfSecond = {
  "proc/self/cgroup": "0::/pod/app\n",
  "proc/self/mountinfo": "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
};

export const inGroupOfFirst = {
  "proc/self/cgroup": "4:memory:/pod/app\n2:cpuacct:/pod/app\n1:cpu:/pod/app\n0::/\n",
  "proc/self/mountinfo": `32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu
33 31 0:30 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpuacct
35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
`,
};
