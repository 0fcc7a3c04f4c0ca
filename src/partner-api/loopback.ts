/** Names of this machine, as a `Host` header writes them. */
const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Whether a `Host` header names this machine, and, where one is given, this port. A server on loopback refuses any other:
 * a page in a browser reaches it under a name of its own, which it has lead to 127.0.0.1 (DNS rebinding). Without a port
 * any is taken, as one that a tunnel leads here.
 */
export function isOwnHost(host: string | undefined, port?: number): boolean {
  const [, name = '', given] = /^(.*?)(?::(\d+))?$/.exec(host ?? '') ?? [];
  return OWN_NAMES.includes(name.toLowerCase()) && (port === undefined || given === String(port));
}

/** Whether a host name of a URL, or an address, always means this machine. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|(?:::ffff:)?127(?:\.[0-9]{1,3}){3}|::1|\[::1\])$/.test(host);
}
