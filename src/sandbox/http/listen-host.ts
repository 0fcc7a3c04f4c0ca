import { isIP } from 'node:net';
import { UsageError } from '../../errors.ts';
import { echoed } from '../../text.ts';

/** Texts that the system would read as an address although they are not written in full: `0`, `127.1`, `0x7f000001`. */
const SHORTENED = /^(?:[0-9.]+|0x[0-9a-f.x]*)$/i;

/** Resolves a host to its address. Throws UsageError for a host that is empty, shortened or unknown. */
export async function addressToListenOn(host: string): Promise<string> {
  if (isIP(host) !== 0) return host;
  if (host.trim() === '' || SHORTENED.test(host)) {
    throw new UsageError(
      host.trim() === ''
        ? 'The host to listen on is empty.'
        : `The host ${echoed(host)} is no address in full.`,
      'Name it in full: 127.0.0.1 for this machine alone, 0.0.0.0 for all its networks.',
    );
  }
  const { lookup } = await import('node:dns/promises');
  try {
    return (await lookup(host)).address;
  } catch {
    throw new UsageError(
      `The host ${echoed(host)} cannot be found.`,
      'Name an address of this machine with --host.',
    );
  }
}
