/** No request leaves the simulation: the transport is replaced at the client's own port. */
export const got = {
  stream(): never {
    throw new TypeError('The simulation has no sockets.');
  },
};
