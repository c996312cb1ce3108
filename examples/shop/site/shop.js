// The browser sends the session cookie with every request, so the page itself handles no credentials.

const find = (selector) => document.querySelector(selector);

async function call(method, path, body) {
  const isForm = body instanceof FormData;
  const response = await fetch(`/api/v1${path}`, {
    method,
    ...(body && !isForm && { headers: { "content-type": "application/json" } }),
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  const result = response.status === 204 ? undefined : await response.json();
  find("#problem").textContent = response.ok ? "" : result.message;
  if (!response.ok) throw new Error(result.message);
  return result;
}

function item(...children) {
  const line = document.createElement("li");
  line.append(...children);
  return line;
}

function photoOf(product) {
  if (!product.has_photo) return "";
  return Object.assign(document.createElement("img"), {
    src: `/api/v1/products/${product.id}/photo`,
    alt: "",
  });
}

function orderButton(product) {
  const button = document.createElement("button");
  button.textContent = `Order ${product.name}`;
  button.addEventListener("click", async () => {
    await call("POST", "/orders", { product_id: product.id, quantity: 1 });
    await showProducts();
  });
  return button;
}

async function showProducts() {
  const { items } = await call("GET", "/products");
  const lines = items.map((product) => {
    const price = (product.price_cents / 100).toFixed(2);
    return item(
      photoOf(product),
      ` ${product.name}, ${price} €, ${product.stock} left `,
      orderButton(product),
    );
  });
  find("#products").replaceChildren(...lines);
}

function showOrder(order) {
  const line = item(`${order.quantity} × ${(order.total_cents / 100).toFixed(2)} €: ${order.status}`);
  line.dataset.id = order.id;
  const shown = [...find("#orders").children].find(({ dataset }) => dataset.id === order.id);
  if (shown) shown.replaceWith(line);
  else find("#orders").prepend(line);
}

async function showOrders() {
  for (const order of (await call("GET", "/orders")).toReversed()) showOrder(order);
}

/** Also loads the orders, because some may have changed while there was no connection. */
function watchOrders() {
  const events = new EventSource("/api/v1/orders/events");
  events.addEventListener("open", showOrders);
  events.addEventListener("order", ({ data }) => showOrder(JSON.parse(data)));
}

function openChat() {
  const socket = new WebSocket(new URL("/support", location.href.replace(/^http/, "ws")));
  socket.addEventListener("open", () => {
    find("#message").hidden = false;
  });
  socket.addEventListener("message", ({ data }) => {
    const { name, text } = JSON.parse(data);
    find("#messages").append(item(`${name}: ${text}`));
  });
  find("#message").addEventListener("submit", (event) => {
    event.preventDefault();
    socket.send(new FormData(event.target).get("text"));
    event.target.reset();
  });
}

function enter({ name }) {
  find("#account").hidden = true;
  for (const part of ["#user", "#product"]) find(part).hidden = false;
  find("#user b").textContent = name;
  watchOrders();
  openChat();
}

find("#account").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, email, password } = Object.fromEntries(new FormData(event.target));
  const isSignIn = event.submitter?.value === "sign-in";
  enter(
    await (isSignIn
      ? call("POST", "/session", { email, password })
      : call("POST", "/users", { name, email, password })),
  );
});

find("#sign-out").addEventListener("click", async () => {
  await call("DELETE", "/session");
  location.reload();
});

find("#product").addEventListener("submit", async (event) => {
  event.preventDefault();
  const fields = new FormData(event.target);
  const photo = fields.get("photo");
  const product = await call("POST", "/products", {
    name: fields.get("name"),
    description: "",
    price_cents: Number(fields.get("price_cents")),
    stock: Number(fields.get("stock")),
  });
  if (photo.size > 0) {
    const form = new FormData();
    form.append("photo", photo);
    await call("PUT", `/products/${product.id}/photo`, form);
  }
  event.target.reset();
  await showProducts();
});

const response = await fetch("/api/v1/session");
if (response.ok) enter(await response.json());
await showProducts();
