import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { LEDGER_VERSION } from '../../../../src/core/ledger/ledger.ts';
import { startSandbox } from '../../../../src/library/testing.ts';
import { connectProxy } from '../../../helpers/connect-proxy.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { runProgram } from '../../../helpers/program.ts';
import { rawServer, sendJson } from '../../../helpers/raw-server.ts';
import { runMain } from '../../../helpers/run-main.ts';
import type { Certificate } from '../../../helpers/tls-front.ts';
import { makeBadCertificate, makeCertificate, tlsFront } from '../../../helpers/tls-front.ts';
import { checksIn } from './checks.ts';

let home: string;
beforeEach(async () => {
  home = await temporaryFolder();
});

const sandbox = await startSandbox();
afterAll(() => sandbox.close());

type Env = Readonly<Record<string, string>>;

async function examine(env: Env, run: typeof runMain = runMain) {
  const { publicKey, secret, baseUrl } = sandbox;
  const pair = { SWAPCTL_PUBLIC_KEY: publicKey, SWAPCTL_SECRET: secret, SWAPCTL_BASE_URL: baseUrl };
  const ran = await run(['doctor', '--json'], { home, env: { ...pair, ...env } });
  expect(ran.stdout).not.toContain(secret);
  return checksIn(ran);
}

/** Checks the service behind TLS in a process of its own: Node reads NODE_EXTRA_CA_CERTS as it starts. */
async function behind(certificate: Certificate, ...envs: readonly Env[]) {
  const front = await tlsFront(sandbox.baseUrl, certificate);
  onTestFinished(() => front.close());
  const found = [];
  for (const env of envs) found.push(await examine({ SWAPCTL_BASE_URL: front.url, ...env }, runProgram));
  return found;
}

describe('swapctl doctor', () => {
  it('names NODE_EXTRA_CA_CERTS for a certificate of an unknown authority, which fixes it', async () => {
    const certificate = makeCertificate(home);
    const extra = { NODE_EXTRA_CA_CERTS: certificate.certFile };
    const [before, after] = await behind(certificate, {}, extra);
    expect(before?.ok).toBe(false);
    expect(before?.of('tls')).toMatchObject({
      state: 'fail',
      detail: expect.stringContaining('(DEPTH_ZERO_SELF_SIGNED_CERT)'),
      remedy: expect.stringContaining('NODE_EXTRA_CA_CERTS=/path/to/ca.pem'),
    });
    expect([after?.ok, after?.of('tls')?.detail]).toEqual([
      true,
      `the certificate is trusted, using the authorities in ${certificate.certFile}`,
    ]);
  });

  it.each([
    ['expired', 'CERT_HAS_EXPIRED', 'If the clock is right, the service must renew its certificate.'],
    ['other host', 'ERR_TLS_CERT_ALTNAME_INVALID', 'Check the host in the URL'],
  ] as const)('reports a bad certificate (%s) with its own remedy', async (badness, code, remedy) => {
    const certificate = makeBadCertificate(home, badness);
    const [found] = await behind(certificate, { NODE_EXTRA_CA_CERTS: certificate.certFile });
    expect(found?.of('tls')).toMatchObject({
      state: 'fail',
      detail: expect.stringContaining(`(${code})`),
      remedy: expect.stringContaining(remedy),
    });
  });

  it('reports a missing NODE_EXTRA_CA_CERTS file and disabled certificate checks', async () => {
    const https = { SWAPCTL_BASE_URL: sandbox.baseUrl.replace('http:', 'https:') };
    const missing = join(home, 'none.pem');
    const absent = await examine({ ...https, NODE_EXTRA_CA_CERTS: missing });
    expect(absent.of('tls')?.detail).toBe(`NODE_EXTRA_CA_CERTS names a missing file: ${missing}`);
    const off = await examine({ ...https, NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    expect(off.of('tls')).toMatchObject({ state: 'fail', remedy: expect.stringMatching(/^Unset it/) });
  });

  it('reports a proxy that rejects CONNECT with its status and the variable that sets it', async () => {
    const proxy = await connectProxy();
    onTestFinished(() => proxy.close());
    const through = { SWAPCTL_BASE_URL: 'https://api.example.com', HTTPS_PROXY: `http://${proxy.host}` };
    for (const [status, remedy] of [
      [403, 'The proxy is set by HTTPS_PROXY; hosts in NO_PROXY bypass it.'],
      [407, 'Set the user name and password of the proxy: HTTPS_PROXY=http://user:password@host:port'],
    ] as const) {
      proxy.refuseWith(status);
      const { of } = await examine(through);
      expect(of('proxy')).toMatchObject({
        state: 'fail',
        detail: `The proxy ${proxy.host} refused to connect to api.example.com (HTTP status ${status}).`,
        remedy: expect.stringContaining(remedy),
      });
      expect(of('key-pair')).toMatchObject({ state: 'warn', remedy: 'Fix the connection first.' });
    }
  });

  it('does not report the key pair as accepted by a server that is not the partner API', async () => {
    const other = await rawServer((_seen, response) => sendJson(response, 200, { ok: true }));
    const { of } = await examine({ SWAPCTL_BASE_URL: other.url });
    expect(of('key-pair')).toMatchObject({
      state: 'warn',
      remedy: 'This response is not from the partner API. Check the base URL of the profile.',
    });
  });

  it('suggests an update for a ledger written by a newer swapctl', async () => {
    await runMain(['history'], { home });
    const ledger = join(home, '.local', 'state', 'swapctl', 'ledger.db');
    execFileSync('sqlite3', [
      ledger,
      `update swapctl_schema set version = ${LEDGER_VERSION + 1} where name = 'ledger'`,
    ]);
    const { of } = await examine({});
    expect(of('ledger')).toMatchObject({
      state: 'fail',
      detail: `The database ${ledger} was written by a newer swapctl (schema ${LEDGER_VERSION + 1}, this one knows ${LEDGER_VERSION}).`,
      remedy: 'Update swapctl, or use another database.',
    });
  });

  it('finds a quoted secret and open file modes, and passes once both remedies are applied', async () => {
    await runMain(['history'], { home });
    const folder = join(home, '.local', 'state', 'swapctl');
    execFileSync('chmod', ['755', folder]);
    const secret = `"${sandbox.secret}"`;
    const [first, second] = [await examine({ SWAPCTL_SECRET: secret }), await examine({})];
    expect(first.of('secret')?.detail).toContain('quotes around it');
    expect(first.of('key-pair')?.remedy).toContain('The secret has quotes around it');
    expect(second.of('key-pair')?.state).toBe('ok');
    const remedy = second.of('modes')?.remedy ?? '';
    execFileSync('sh', ['-c', remedy.replace(/^Run: /, '')]);
    expect((await examine({})).ok).toBe(true);
  });
});
