// A connection that is kept may be closed by the server just as the next request is sent on it: tests keep none.
const send = globalThis.fetch;

if (send.name !== 'fetchAlone') {
  globalThis.fetch = function fetchAlone(input, init) {
    const headers = new Headers(init?.headers);
    headers.set('connection', 'close');
    return send(input, { ...init, headers });
  };
}

export {};
