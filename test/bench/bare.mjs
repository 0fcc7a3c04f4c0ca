// A bare node:http server that answers everything with the same bytes: the measure of what a server could do at most.
import { createServer } from 'node:http';

const body = process.argv[2];
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  });
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`),
);
