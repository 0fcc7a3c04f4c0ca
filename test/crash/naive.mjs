// A program that limits itself as most do, and repeats what it has no answer to. Its arguments: when it counts (`answer`: what
// was answered, in a file that all processes share; `process`: what it sent itself), the URL, the key, the file, the cap in
// hundredths, and its jobs as JSON: `amount`, `address`.
import { appendFileSync, readFileSync } from 'node:fs';

const [strategy, url, key, file, cap, jobs] = process.argv.slice(2);
const own = [];

function done() {
  if (strategy === 'process') return own;
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

for (const { amount, address } of JSON.parse(jobs)) {
  const before = done();
  const spent = before.reduce((sum, job) => sum + job.amount * 100, 0);
  if (before.some((job) => job.address === address) || spent + amount * 100 > Number(cap)) continue;
  own.push({ amount, address });
  const body = JSON.stringify({
    depositCoin: 'BTC',
    depositNetwork: 'BTC',
    depositAmount: Number(amount),
    typeSwap: 2,
    receiveCoin: 'ETH',
    receiveNetwork: 'ETH',
    receiveAddress: address,
  });
  const answer = await fetch(`${url}/create-transaction`, {
    method: 'POST',
    headers: { 'x-api-public-key': key },
    body,
  }).catch(() => null);
  if (answer?.status === 201) appendFileSync(file, `${JSON.stringify({ amount, address })}\n`);
}
