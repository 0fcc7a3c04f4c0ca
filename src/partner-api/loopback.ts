/** Names of this machine, as a `Host` header writes them. */
const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Whether a `Host` header names this machine and, if a port is given, this port. A server on loopback must refuse any other
 * name: a web page can point its own host name at 127.0.0.1 (DNS rebinding). Without `port` any port is accepted, such as
 * that of a tunnel.
 */
export function isOwnHost(host: string | undefined, port?: number): boolean {
  const [, name = '', given] = /^(.*?)(?::(\d+))?$/.exec(host ?? '') ?? [];
  return OWN_NAMES.includes(name.toLowerCase()) && (port === undefined || given === String(port));
}

/** Whether a host name of a URL, or an address, always means this machine. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|(?:::ffff:)?127(?:\.[0-9]{1,3}){3}|::1|\[::1\])$/.test(host);
}
