// A program that limits itself as most do. Its arguments: when it counts (`answer`: what was answered, in a file that all
// processes share; `process`: what it sent itself), the URL, the key, the file, the cap, and the amounts it wants to create.
import { appendFileSync, readFileSync } from 'node:fs';

const [strategy, url, key, file, cap, ...amounts] = process.argv.slice(2);
let own = 0;

function spent() {
  if (strategy === 'process') return own;
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.reduce((sum, line) => sum + Number(line), 0);
}

for (const amount of amounts.map(Number)) {
  if (spent() + amount > Number(cap)) continue;
  own += amount;
  const body = JSON.stringify({
    ...{ depositCoin: 'BTC', depositNetwork: 'BTC', depositAmount: amount / 100, typeSwap: 2 },
    ...{ receiveCoin: 'ETH', receiveNetwork: 'ETH', receiveAddress: 'any' },
  });
  const answer = await fetch(`${url}/create-transaction`, {
    method: 'POST',
    headers: { 'x-api-public-key': key },
    body,
  }).catch(() => null);
  if (answer?.status === 201) appendFileSync(file, `${amount}\n`);
}
