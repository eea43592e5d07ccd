// Requests to the dealer, and the stream of what changes. Every request is a POST of JSON, to which browsers add where
// it comes from; the cookie of the session travels by itself, and no script can read it.

const RETRY_MS = 1500;
const SILENT_MS = 40_000; // the dealer says something every 15 s; a connection without it is taken as lost

const request = (path, facts, signal) =>
  fetch(path, {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(facts),
    signal,
  });

/** Post facts; the status, 0 if the dealer does not answer, and the JSON object of the answer. */
export async function post(path, facts) {
  try {
    const response = await request(path, facts);
    return { status: response.status, answer: await response.json() };
  } catch {
    return { status: 0, answer: { error: "the dealer does not answer" } };
  }
}

/** Post facts that ask for a file; its bytes as a blob and its name, or the JSON object of the answer. */
export async function fetchFile(path, facts) {
  try {
    const response = await request(path, facts);
    if (response.status !== 200) return { status: response.status, answer: await response.json() };
    const name = /filename="([^"]+)"|filename\*=utf-8''(\S+)/i.exec(response.headers.get("content-disposition") ?? "");
    return { status: 200, name: name?.[1] ?? decodeURIComponent(name?.[2] ?? "casino"), blob: await response.blob() };
  } catch {
    return { status: 0, answer: { error: "the dealer does not answer" } };
  }
}

const rest = (signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, RETRY_MS);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });

/** Follow the dealer until it says goodbye or ends the session; why it asks for the token, or "" if it does not.
    `hear` is given each line, `link` is told "live", "lost" or "bye". */
export async function follow(signal, { hear, link }) {
  let heard = false;
  while (!signal.aborted) {
    try {
      const silence = new AbortController();
      const response = await request("/host/events", {}, AbortSignal.any([signal, silence.signal]));
      if (response.status === 401) return heard ? "The session has ended. Give the token that the dealer's terminal shows." : " ";
      if (!response.ok) throw new Error((await response.json()).error);
      link("live");
      for await (const facts of lines(response.body, silence)) {
        heard = true;
        if (facts.bye) {
          link("bye");
          return "";
        }
        hear(facts);
      }
    } catch {
      // told below
    }
    if (signal.aborted) return "";
    link("lost");
    await rest(signal);
  }
  return "";
}

async function* lines(body, silence) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let half = "";
  for (;;) {
    const timer = setTimeout(() => silence.abort(), SILENT_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const whole = (half + value).split("\n");
    half = whole.pop();
    for (const line of whole) yield JSON.parse(line);
  }
}
