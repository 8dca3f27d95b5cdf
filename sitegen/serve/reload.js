// Added by `sitegen serve` only: shows new pages as they are built, and what went wrong.
const serial = Number(new URL(import.meta.url).searchParams.get("serial"));
const host = document.createElement("div");
const shadow = host.attachShadow({ mode: "open" });

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function show({ kept, problems }) {
  if (!problems.length) {
    host.remove();
    return;
  }
  const close = make("button", { type: "button", textContent: "Close" });
  close.addEventListener("click", () => host.remove());
  const count = problems.length === 1 ? "1 error" : `${problems.length} errors`;
  const heading = kept ? `${count}: this is the last good site` : `Built, with ${count}`;
  shadow.replaceChildren(
    make("link", { rel: "stylesheet", href: new URL("reload.css", import.meta.url).href }),
    make(
      "section",
      { role: "alert", className: "problems" },
      make("header", {}, make("h1", { textContent: heading }), close),
      make(
        "ol",
        {},
        ...problems.map(({ place, code, text, hint }) =>
          make(
            "li",
            {},
            make("code", { textContent: place }),
            make("p", { textContent: `${text} [${code}]` }),
            ...(hint ? [make("p", { className: "hint", textContent: hint })] : []),
          ),
        ),
      ),
    ),
  );
  document.body.append(host);
}

let events;
function listen() {
  events = new EventSource(new URL("events", import.meta.url));
  events.addEventListener("message", ({ data }) => {
    const news = JSON.parse(data);
    if (news.serial !== serial) location.reload();
    else show(news);
  });
}

// a browser opens few connections to one host: tabs in the background give theirs back
document.addEventListener("visibilitychange", () => {
  events?.close();
  if (!document.hidden) listen();
});
addEventListener("pagehide", () => events?.close());
addEventListener("pageshow", ({ persisted }) => persisted && listen());
if (!document.hidden) listen();
