/** No request leaves the simulation: the transport is replaced at the client's own port. */
export function startRequest(): never {
  throw new TypeError('The simulation has no sockets.');
}
