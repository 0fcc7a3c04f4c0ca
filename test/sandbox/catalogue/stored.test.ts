import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { builtInCatalogue, parseCatalogue } from '../../../src/sandbox/catalogue/catalogue.ts';
import { storeCatalogue } from '../../../src/sandbox/catalogue/stored.ts';
import { openOperator } from '../../../src/sandbox/operator/operator.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { BOTH_DATABASES } from '../../core/database/databases.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';
import { call, NEW_SWAP, openState } from '../sandbox.ts';
import { startHere } from '../start-here.ts';

/** A catalogue file with one given coin and ETH. */
function catalogueText(code: string): string {
  const coin = (name: string) => ({ code: name, name, usd: '2', assets: [{ network: 'ETH', decimals: 6 }] });
  return JSON.stringify({ coins: [coin(code), coin('ETH')] });
}

const BODY = { ...NEW_SWAP, depositCoin: 'SHELL', depositNetwork: 'ETH', depositAmount: 100 };

interface Coins {
  readonly home: string;
  readonly file: string;
  /** Runs a command and returns its JSON, or the message of its error. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON they expect.
  readonly json: (...args: string[]) => Promise<any>;
}

async function homeWithShells(): Promise<Coins> {
  const home = await temporaryFolder();
  const file = `${home}/shells.json`;
  writeFileSync(file, catalogueText('SHELL'));
  const json: Coins['json'] = async (...args) => {
    const { stdout, error } = await runHere([...args, '--json'], { home });
    return error === null ? JSON.parse(stdout) : error.message;
  };
  return { home, file, json };
}

describe('the catalogue of sandbox start --catalog', () => {
  it('is used by sandbox commands and by the built-in service on the same database', async () => {
    const { home, file, json } = await homeWithShells();
    const { url, stop } = await startHere(home, '--catalog', file);
    const [credentials] = await json('sandbox', 'partner', 'list');
    const { orderNumber } = (await call({ url, credentials }, 'create-transaction', BODY)).json;
    expect(await json('sandbox', 'deposit', orderNumber)).toMatchObject({ statusCode: 1 });
    expect(await json('sandbox', 'info')).toMatchObject({ coins: 2, networks: 1 });
    expect((await json('sandbox', 'clock', 'advance', '1m')).transitions.at(-1)).toMatchObject({ to: 4 });
    await json('sandbox', 'reset');
    expect(await json('sandbox', 'info')).toMatchObject({ coins: 2 });
    await stop();
    expect((await json('coins')).map(({ code }: { code: string }) => code)).toEqual(['SHELL', 'ETH']);
  });

  it('is replaced by the catalogue of the server started last', async () => {
    const { home, file, json } = await homeWithShells();
    await (await startHere(home, '--catalog', file)).stop();
    writeFileSync(file, catalogueText('STONE'));
    const stones = await startHere(home, '--catalog', file);
    expect((await json('coins')).map(({ code }: { code: string }) => code)).toEqual(['STONE', 'ETH']);
    const builtIn = await startHere(home);
    expect(await json('sandbox', 'info')).toMatchObject({ coins: builtInCatalogue().coins.length });
    await Promise.all([stones.stop(), builtIn.stop()]);
  });

  it('is unchanged if a later start fails', async () => {
    const { home, file, json } = await homeWithShells();
    const { url, stop } = await startHere(home, '--catalog', file);
    const { port } = new URL(url);
    expect(await json('sandbox', 'start', '--port', port)).toContain('the port is in use');
    expect(await json('sandbox', 'info')).toMatchObject({ coins: 2 });
    await stop();
    writeFileSync(file, '{}');
    expect(await json('sandbox', 'start', '--port', '0', '--catalog', file)).toContain('Catalogue file: ');
    expect(await json('sandbox', 'info')).toMatchObject({ coins: 2 });
  });
});

describe.each(BOTH_DATABASES)('a catalogue stored on $kind', ({ fresh }) => {
  it('is used by a server and an operator, and is never mixed with another one stored at the same time', async () => {
    const database = await fresh();
    await storeCatalogue(database, parseCatalogue(catalogueText('FIRST')));
    const sandbox = await startSandbox({ database });
    const { json } = await call(sandbox, 'get-all-coins');
    expect(json.depositCoins[0].subName).toBe('FIRST');
    const names = ['A', 'B', 'C', 'D'];
    await Promise.all(names.map((name) => storeCatalogue(database, parseCatalogue(catalogueText(name)))));
    const operator = await openOperator({ database });
    expect((await operator.info()).coins).toBe(2);
    await operator.close();
    await sandbox.close();
  });

  it('that cannot be read throws storage_failed with a hint to use --catalog', async () => {
    const database = await fresh();
    const opened = await openState(database);
    await opened.kysely.insertInto('sandbox_catalogues').values({ id: 1, source: '{"coins":1}' }).execute();
    await opened.close();
    await expect(startSandbox({ database })).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringContaining('coins must be a list'),
      hint: expect.stringContaining('--catalog'),
    });
  });
});
