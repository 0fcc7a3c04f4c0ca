import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/home.ts';
import { listeningUrl, PROGRAM, type StartedRun, startProgram } from '../helpers/program.ts';
import { call, NEW_SWAP, newOrder, readAnswer } from './sandbox.ts';

const ROOT = join(PROGRAM, '..', '..');

/** A copy of the program, as an installation has it. */
async function installedCopy(): Promise<string> {
  const folder = await temporaryFolder();
  for (const part of ['bin', 'dist', 'package.json'])
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  await mkdir(join(folder, 'node_modules'));
  await symlink(
    join(ROOT, 'node_modules', '@photostructure'),
    join(folder, 'node_modules', '@photostructure'),
  );
  return folder;
}

/** What the start says of the operators' verbs. */
async function adminPlace({ stderr }: StartedRun): Promise<{ adminUrl: string; token: string }> {
  for (let look = 0; look < 200; look += 1) {
    const [, adminUrl, token] =
      /operator API at (\S+), with the header Authorization: Bearer (\S+)/.exec(stderr()) ?? [];
    if (adminUrl !== undefined && token !== undefined) return { adminUrl, token };
    await pause(50);
  }
  throw new Error(stderr());
}

it('an upgrade under a running server does no harm: it has loaded all that it needs', async () => {
  const [home, copy] = [await temporaryFolder(), await installedCopy()];
  const started = startProgram(['sandbox', 'start', '--port', '0', '--admin-port', '0'], {
    home,
    program: join(copy, 'bin', 'swapctl.js'),
  });
  const url = await listeningUrl(started);
  const { adminUrl, token } = await adminPlace(started);
  const admin = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return readAnswer(await fetch(`${adminUrl}${path}`, { method, headers, ...sent }));
  };
  await rm(join(copy, 'dist'), { recursive: true });

  const [credentials] = (await admin('GET', '/partners')).json;
  const place = { url, credentials };
  const id = await newOrder(place);
  const statuses = [
    (await call(place, 'get-all-coins')).status,
    (await call(place, 'get-coin-network', { coin: 'USDT' })).status,
    (
      await call(place, 'exchange-coin', {
        ...{ amount: '0.1', coinFrom: 'BTC', coinTo: 'ETH', lastSource: 'deposit', typeSwap: '1' },
      })
    ).status,
    (await call(place, 'update-refund-address', { id, refundAddress: 'tb1refund' })).status,
    (await admin('POST', `/orders/${id}/deposit`)).status,
    (await call(place, 'get-transaction', { id })).status,
    (await fetch(`${url}/openapi.json`)).status,
    (await admin('POST', '/clock/advance', { milliseconds: 1000 })).status,
    (await admin('GET', '/orders')).status,
  ];
  expect(statuses).toEqual(statuses.map(() => 200));
  // Every network has an address family of its own to load.
  const payouts = { XRP: 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH', TRX: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' };
  for (const [coin, receiveAddress] of Object.entries(payouts)) {
    const answer = await call(place, 'create-transaction', {
      ...NEW_SWAP,
      ...{ receiveCoin: coin, receiveNetwork: coin, receiveAddress, memo: coin === 'XRP' ? '1' : '' },
    });
    expect([coin, answer.status, answer.text]).toEqual([coin, 201, answer.text]);
  }
  await admin('POST', '/faults', { status: 500, endpoint: 'get-all-coins' });
  expect((await call(place, 'get-all-coins')).status).toBe(500);
  expect((await admin('POST', '/reset')).json).toEqual({ reset: true });
  started.child.kill('SIGTERM');
  const { code, stderr } = await started.ended;
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('Cannot find')]);
});
