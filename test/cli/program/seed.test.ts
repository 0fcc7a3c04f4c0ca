import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { listeningUrl, startProgram } from '../../helpers/program.ts';
import { runMain } from '../../helpers/run-main.ts';
import { BTC_TO_ETH } from '../../helpers/swap-service.ts';
import { startHere } from '../../sandbox/start-here.ts';

it('two sandboxes with the same seed return byte-identical responses in any process', async () => {
  const [first, second] = await Promise.all([life(startProcess), life(startHere)]);
  expect(first.at(-1)).toContain('"status":12');
  expect(first).toEqual(second);
});

/** `sandbox start` as a process of its own. */
async function startProcess(home: string, ...args: string[]) {
  const server = startProgram(['sandbox', 'start', '--port', '0', ...args], { home });
  return {
    url: await listeningUrl(server),
    stop: () => {
      server.child.kill('SIGTERM');
      return server.ended;
    },
  };
}

/** One swap from quote to payout on a sandbox of its own; every answer as it came. */
async function life(start: typeof startProcess | typeof startHere): Promise<string[]> {
  const home = await temporaryFolder();
  const { url, stop } = await start(home, '--seed', '7');
  try {
    const run = (...args: string[]) => runMain(['sandbox', ...args], { home });
    const [partner] = (await run('partner', 'list', '--json')).json<
      { publicKey: string; secret: string }[]
    >();
    const call = signedCaller(url, partner ?? { publicKey: '', secret: '' });
    const answers = [
      await call('GET', 'exchange-coin?amount=0.1&coinFrom=BTC&coinTo=ETH&lastSource=deposit&typeSwap=2'),
    ];
    answers.push(await call('POST', 'create-transaction', JSON.stringify(BTC_TO_ETH)));
    const { orderNumber } = JSON.parse(answers.at(-1) ?? '');
    answers.push((await run('deposit', orderNumber, '--json')).stdout);
    for (let poll = 0; poll < 40 && !answers.at(-1)?.includes('"status":12'); poll += 1) {
      answers.push(await call('GET', `get-transaction?id=${orderNumber}`));
    }
    return answers;
  } finally {
    await stop();
  }
}

function signedCaller(url: string, { publicKey, secret }: { publicKey: string; secret: string }) {
  return async (method: string, target: string, body?: string): Promise<string> => {
    const endpoint = target.replace(/\?.*$/, '');
    const signature = createHmac('sha512', secret).update(endpoint).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'x-api-public-key': publicKey,
      'x-api-payload': endpoint,
      'x-api-signature': signature,
    };
    const response = await fetch(`${url}/api/private/${target}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return response.text();
  };
}
