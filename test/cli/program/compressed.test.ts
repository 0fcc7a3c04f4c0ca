import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { runProgram } from '../../helpers/program.ts';
import { profileEnv, rawServer } from '../../helpers/raw-server.ts';

const QUOTE =
  '{"pair":"BTC_ETH","amount":0.1,"exchangeRate":28.8,"receive":2.88,"minAmount":0.001,"maxAmount":2}';

// The bundle loads Node's zlib only for an answer that is compressed.
it('the built program reads compressed responses although it did not request compression', async () => {
  const home = await temporaryFolder();
  for (const [encoding, compressed] of [
    ['gzip', gzipSync(QUOTE)],
    ['br', brotliCompressSync(QUOTE)],
  ] as const) {
    const server = await rawServer((_seen, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(compressed),
    );
    const run = await runProgram(['quote', 'BTC', 'ETH', '0.1', '--json'], {
      home,
      env: profileEnv(server.url),
    });
    expect([run.code, run.json<{ receive: string }>().receive], run.stderr).toEqual([0, '2.88']);
  }
});
