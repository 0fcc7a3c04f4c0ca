import { like, type Network, network, text } from './network.ts';

/** Chains with a form of their own that no other chain shares, by topic and then by code. */
export const LONE_CHAINS: readonly Network[] = [
  network(null, 'STX STACKS', 'Stacks', like('SP…'), text('optional', 34)),
  network(null, 'HIVE', 'Hive', 'an account name', text('optional', 256)),
  network(null, 'STEEM', 'Steem', 'an account name', text('optional', 256)),
];
