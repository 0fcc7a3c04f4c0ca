import { like, type MemoRule, type Network, network, text } from './network.ts';

// STEEM_MAX_MEMO_SIZE is 2,048 bytes; wallets encrypt a memo that begins with #.
const graphene: MemoRule = { need: 'optional', form: 'graphene', maxBytes: 2048 };
const NAME = 'an account name of 3 to 16 letters, digits and hyphens';

/** Chains with a form of their own that no other chain shares, by topic and then by code. */
export const LONE_CHAINS: readonly Network[] = [
  network('alephium', 'ALPH ALEPHIUM', 'Alephium', like('1…')),
  network('arweave', 'AR ARWEAVE', 'Arweave', '43 letters, digits, hyphens and underscores'),
  network('conflux', 'CFX CONFLUX CONFLUXCORE CFXCORE', 'Conflux Core', like('cfx:a…')),
  network('ergo', 'ERG ERGO', 'Ergo', like('9…')),
  network('fio', 'FIO', 'FIO', like('FIO…')),
  network('flow', 'FLOW', 'Flow', '0x and 16 hexadecimal digits'),
  network('graphene', 'HIVE', 'Hive', NAME, graphene),
  network('graphene', 'STEEM', 'Steem', NAME, graphene),
  network('icon', 'ICX ICON', 'ICON', 'hx and 40 hexadecimal digits'),
  network('kadena', 'KDA KADENA', 'Kadena', 'k: and 64 hexadecimal digits'),
  // User_command_memo of the Mina node takes 32 bytes.
  network('mina', 'MINA', 'Mina', like('B62q…'), text('optional', 32)),
  // NIS refuses a message of more than 1,024 bytes; on Symbol its first byte is the kind of message.
  network('nem', 'XEM NEM', 'NEM', like('N…'), text('optional', 1024)),
  network('nem', 'XYM SYMBOL', 'Symbol', like('N…'), text('optional', 1023)),
  // NEP5 is the old chain of Neo, whose code at some services is still NEO.
  network('neo', 'NEO ~GAS ~NEO3 ~N3 ~NEON3 ~NEP5 ~NEP17', 'Neo', like('N…')),
  network('neo', 'ONT ONTOLOGY ~ONG', 'Ontology', like('A…')),
  network('nervos', 'CKB NERVOS', 'Nervos CKB', like('ckb1…')),
  network('nimiq', 'NIM NIMIQ', 'Nimiq', like('NQ…')),
  network('siacoin', 'SC SIACOIN SIA', 'Siacoin', '76 hexadecimal digits'),
  network('stacks', 'STX STACKS', 'Stacks', like('SP… or SM…'), text('optional', 34)),
  // The attachment of a transfer takes 140 bytes.
  network('waves', 'WAVES', 'Waves', like('3P…'), text('optional', 140)),
  network('chia', 'XCH CHIA', 'Chia', like('xch1…')),
];
