/** Unique name of a tick, or of a retry of it, identical on all instances. */
export function tickName(jobId: string, scheduledAt: number, attempt = 1): string {
  return attempt === 1 ? `${jobId} ${scheduledAt}` : `${jobId} ${scheduledAt} ${attempt}`;
}

export function parseTick(name: string): { jobId: string; scheduledAt: number; attempt: number } {
  const [jobId = "", scheduledAt, attempt = 1] = name.split(" ");
  return { jobId, scheduledAt: Number(scheduledAt), attempt: Number(attempt) };
}
