import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';

/** A certificate of its own authority for `localhost` and 127.0.0.1, for a day. */
export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Makes a certificate in a folder, with openssl. */
export function makeCertificate(folder: string): Certificate {
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', '-days', '1', ...key, ...name, '-out', certFile], {
    stdio: 'ignore',
  });
  return { keyFile, certFile };
}

/** The same, for another host, or for two days of 2020. */
export function makeBadCertificate(folder: string, badness: 'expired' | 'other host'): Certificate {
  const path = (name: string) => join(folder, name);
  const [keyFile, certFile] = [path('bad-key.pem'), path('bad-cert.pem')];
  const names = badness === 'expired' ? 'DNS:localhost,IP:127.0.0.1' : 'DNS:other.example';
  writeFileSync(path('index.txt'), '');
  writeFileSync(
    path('ca.conf'),
    `[ca]\ndefault_ca=own\n[own]\ndatabase=${path('index.txt')}\nnew_certs_dir=${folder}\nrand_serial=yes\ndefault_md=sha256\npolicy=any\nx509_extensions=names\n[any]\ncommonName=supplied\n[names]\nsubjectAltName=${names}\nbasicConstraints=CA:true\n`,
  );
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  openssl('req', '-new', ...key, '-subj', '/CN=bad', '-out', path('bad.csr'));
  const times =
    badness === 'expired' ? ['-startdate', '20200101000000Z', '-enddate', '20200102000000Z'] : ['-days', '1'];
  const signing = ['-batch', '-selfsign', '-notext', '-config', path('ca.conf'), '-keyfile', keyFile];
  openssl('ca', ...signing, ...times, '-in', path('bad.csr'), '-out', certFile);
  return { keyFile, certFile };
}

/** A server that ends TLS and hands everything on to a plain one. */
export interface TlsFront {
  /** `https:` URL by address. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts TLS before a plain server on loopback. */
export async function tlsFront(plainUrl: string, { certFile, keyFile }: Certificate): Promise<TlsFront> {
  const target = Number(new URL(plainUrl).port);
  const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, (secure) => {
    const plain = connectPlain(target, '127.0.0.1');
    secure.on('error', () => plain.destroy()).on('close', () => plain.destroy());
    plain.on('error', () => secure.destroy()).on('close', () => secure.destroy());
    secure.pipe(plain).pipe(secure);
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
