// The page is an ordinary API client: it registers a person, stores the API key and sends it with its requests.

const todos = document.querySelector("#todos");
const answers = document.querySelector("#answers");
const shownAnswers = 8;

async function send(method, path, { body, key } = {}) {
  const started = performance.now();
  const answer = await fetch(path, {
    method,
    headers: {
      ...(body && { "content-type": "application/json" }),
      ...(key && { authorization: `Bearer ${key}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  tell(`${method} ${path}`, answer, performance.now() - started);
  return answer;
}

function tell(request, answer, durationMs) {
  const line = document.createElement("li");
  line.dataset.kind = answer.ok ? "good" : answer.status < 500 ? "refused" : "bad";
  const mark = { good: "✓", refused: "!", bad: "✕" }[line.dataset.kind];
  const trace = answer.headers.get("x-trace-id");
  line.append(
    element("b", `${mark} ${answer.status}`),
    element("span", request),
    element("span", `${Math.round(durationMs)} ms`),
    element("code", trace),
  );
  answers.prepend(line);
  while (answers.children.length > shownAnswers) answers.lastChild.remove();
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

async function showTodos() {
  const { items } = await (await fetch("/api/v2/todos")).json();
  todos.replaceChildren(...items.map(({ title, done }) => element("li", `${done ? "✓" : "○"} ${title}`)));
  document.querySelector("#empty").hidden = items.length > 0;
}

async function join() {
  const { key } = await (await send("POST", "/api/v1/people", { body: { name: "A visitor" } })).json();
  localStorage.setItem("todos-key", key);
  return key;
}

document.querySelector("#new-todo").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const body = { title: form.elements.title.value };
  const key = localStorage.getItem("todos-key") ?? (await join());
  const answer = await send("POST", "/api/v2/todos", { body, key });
  // The database may have been reset since the key was issued.
  if (answer.status === 401) await send("POST", "/api/v2/todos", { body, key: await join() });
  form.reset();
  await showTodos();
});

for (const button of document.querySelectorAll("[data-send]")) {
  button.addEventListener("click", async () => {
    const [method, path] = button.dataset.send.split(" ");
    button.setAttribute("aria-busy", "true");
    await Promise.all(Array.from({ length: button.dataset.times ?? 1 }, () => send(method, path)));
    button.removeAttribute("aria-busy");
  });
}

await showTodos();
