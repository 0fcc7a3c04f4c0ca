// A load from a process of its own: so many connections, each with one request after the other, for so long or until
// so many are sent. Reads {host, port, requests: [text], connections, milliseconds or count} as JSON from its first
// argument.
import { connect } from 'node:net';

const { host, port, requests, connections, milliseconds, count } = JSON.parse(process.argv[2]);
let answered = 0;
let failed = 0;
let next = 0;
const end = performance.now() + (milliseconds ?? Number.POSITIVE_INFINITY);

function run() {
  return new Promise((resolve) => {
    const socket = connect({ host, port, noDelay: true });
    let text = '';
    const send = () => {
      if (performance.now() >= end || next >= (count ?? Number.POSITIVE_INFINITY)) return socket.end();
      socket.write(requests[next++ % requests.length]);
    };
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number.parseInt(/content-length: *(\d+)/i.exec(text.slice(0, head))?.[1] ?? '-1', 10);
      if (length < 0) throw new Error('The answer has no content-length.');
      if (text.length < head + 4 + length) return;
      answered += 1;
      if (!/^HTTP\/1\.1 20/.test(text)) failed += 1;
      text = text.slice(head + 4 + length);
      send();
    });
    socket.on('close', resolve);
    socket.on('error', resolve);
  });
}

const begin = performance.now();
await Promise.all(Array.from({ length: connections }, run));
process.stdout.write(JSON.stringify({ perSecond: (answered * 1000) / (performance.now() - begin), failed }));
