// A back end that repeats what failed. Its arguments: URL, public key, ledger, and its jobs as JSON: `key`, `amount`, `address`.
import { createSwapClient } from '../../dist/modules/index.mjs';

const [baseUrl, publicKey, ledger, jobs] = process.argv.slice(2);
const client = createSwapClient({ baseUrl, publicKey, secret: 'secret', ledger, actor: 'backend' });
const pair = { from: { coin: 'BTC' }, to: { coin: 'ETH', network: 'ETH' } };
for (const { key, amount, address } of JSON.parse(jobs)) {
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const swap = await client.create({ ...pair, amount, address, idempotencyKey: key }).catch(() => null);
    if (swap !== null) break;
  }
}
await client.close();
