import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/home.ts';
import { listeningUrl, PROGRAM, type StartedRun, startProgram } from '../helpers/program.ts';
import { admin as adminOf, call, NEW_SWAP, newOrder, QUOTE } from './sandbox.ts';

const ROOT = join(PROGRAM, '..', '..');

/** An installed copy of the program. */
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

/** The URL and token of the admin port, as printed at the start. */
async function adminPlace({ stderr }: StartedRun): Promise<{ adminUrl: string; adminToken: string }> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const [, adminUrl, adminToken] =
      /operator API at (\S+), with the header Authorization: Bearer (\S+)/.exec(stderr()) ?? [];
    if (adminUrl !== undefined && adminToken !== undefined) return { adminUrl, adminToken };
    await pause(50);
  }
  throw new Error(stderr());
}

it('a running sandbox serves every endpoint after its program files are removed', async () => {
  const [home, copy] = [await temporaryFolder(), await installedCopy()];
  const started = startProgram(['sandbox', 'start', '--port', '0', '--admin-port', '0'], {
    home,
    program: join(copy, 'bin', 'swapctl.js'),
  });
  const url = await listeningUrl(started);
  const operators = await adminPlace(started);
  const admin = (method: string, path: string, body?: object) => adminOf(operators, method, path, body);
  await rm(join(copy, 'dist'), { recursive: true });

  const [credentials] = (await admin('GET', '/partners')).json;
  const place = { url, credentials };
  const id = await newOrder(place);
  const statuses = [
    (await call(place, 'get-all-coins')).status,
    (await call(place, 'get-coin-network', { coin: 'USDT' })).status,
    (await call(place, 'exchange-coin', QUOTE)).status,
    (await call(place, 'update-refund-address', { id, refundAddress: 'tb1refund' })).status,
    (await admin('POST', `/orders/${id}/deposit`)).status,
    (await call(place, 'get-transaction', { id })).status,
    (await fetch(`${url}/openapi.json`)).status,
    (await admin('POST', '/clock/advance', { milliseconds: 1000 })).status,
    (await admin('GET', '/orders')).status,
  ];
  expect(statuses).toEqual(statuses.map(() => 200));
  // The address rules of these networks are not loaded yet.
  const payouts = { XRP: 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH', TRX: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' };
  for (const [coin, receiveAddress] of Object.entries(payouts)) {
    const answer = await call(place, 'create-transaction', {
      ...NEW_SWAP,
      receiveCoin: coin,
      receiveNetwork: coin,
      receiveAddress,
      memo: coin === 'XRP' ? '1' : '',
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
