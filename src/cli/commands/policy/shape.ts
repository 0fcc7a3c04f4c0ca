import type { ChainProblem } from '../../../core/ledger/policy/chain.ts';
import { and, type CommandShape, LEDGER, list, one, READS, SETTINGS } from '../../operations/operations.ts';
import {
  AMOUNT,
  BOOLEAN,
  INTEGER,
  INTEGER_OR_NULL,
  listOf,
  nullable,
  OPEN,
  object,
  oneOf,
  TEXT,
  TEXT_OR_NULL,
  TEXTS,
  TIME,
  TIME_OR_NULL,
} from '../../operations/schema.ts';
import { PLACE } from '../../operations/shapes.ts';
import type { PolicySet, PolicyShown, RuleLeft, ShownRule, ShownSimulation } from '../../views/policy.ts';
import type { ApprovalResult } from './approvals-view.ts';
import type { LinkResult, VerifiedChain } from './audit-view.ts';

const SIDE_OR_NULL = oneOf('deposit', 'receive', null);

const NAMED = listOf(object({ kind: oneOf('coin', 'network', 'pair'), name: TEXT }));

const AMOUNT_OR_COUNT = { type: ['string', 'integer'] };

const LEFT = object<RuleLeft>({
  group: TEXT_OR_NULL,
  limit: AMOUNT_OR_COUNT,
  spent: AMOUNT_OR_COUNT,
  left: AMOUNT_OR_COUNT,
  backAt: TIME_OR_NULL,
});

export const POLICY_SHAPE: CommandShape = {
  operations: {
    'policy set': { result: [one('policySet')], exitCodes: and(READS, 10, 12), changes: 'local' },
    'policy show': { result: [one('policy')], exitCodes: LEDGER },
    'policy check': { result: [one('decision')], exitCodes: and(READS, 12) },
    'policy simulate': { result: [one('simulation')], exitCodes: READS },
    'policy stop': { result: [one('stopped')], exitCodes: LEDGER, changes: 'local' },
    'policy resume': { result: [one('stopped')], exitCodes: and(LEDGER, 12), changes: 'local' },
    'policy suspend': { result: [one('suspended')], exitCodes: LEDGER, changes: 'local' },
    'policy unsuspend': { result: [one('unsuspended')], exitCodes: and(LEDGER, 3, 12), changes: 'local' },
    'policy approvals list': { result: [list('approval')], exitCodes: LEDGER },
    'policy approvals show': { result: [one('approval')], exitCodes: and(LEDGER, 3, 12) },
    'policy approvals grant': {
      result: [one('approval')],
      exitCodes: and(LEDGER, 3, 10, 12),
      changes: 'local',
    },
    'policy approvals refuse': { result: [one('approval')], exitCodes: and(LEDGER, 3, 12), changes: 'local' },
    'policy approvals key': { result: [one('approverKey')], exitCodes: SETTINGS, changes: 'local' },
    'policy audit list': { result: [list('link')], exitCodes: LEDGER },
    'policy audit export': { result: [one('exported')], exitCodes: LEDGER, changes: 'local' },
    'policy audit verify': { result: [one('verified')], exitCodes: and(LEDGER, 9) },
  },
  shapes: {
    policySet: object<PolicySet>({
      policy: TEXT,
      rules: INTEGER,
      expires: TIME_OR_NULL,
      loosens: TEXTS,
      tightens: TEXTS,
      ownerKey: TEXT_OR_NULL,
      ...PLACE,
    }),
    policy: object<PolicyShown>({
      policy: TEXT_OR_NULL,
      expires: TIME_OR_NULL,
      ownerKey: TEXT_OR_NULL,
      rules: listOf(
        object<ShownRule>({ index: INTEGER, kind: TEXT, rule: OPEN, words: TEXT, left: listOf(LEFT) }),
      ),
      stop: nullable(
        object<NonNullable<PolicyShown['stop']>>({ at: TIME, actor: TEXT, reason: TEXT_OR_NULL }),
      ),
      suspensions: listOf(object<PolicyShown['suspensions'][number]>({ rule: OPEN, words: TEXT })),
      problems: TEXTS,
      head: TEXT,
      ...PLACE,
    }),
    simulation: object<ShownSimulation>({
      swaps: INTEGER,
      allowed: INTEGER,
      approvals: INTEGER,
      refuses: INTEGER,
      notAllowed: INTEGER,
      rules: listOf(
        object<ShownSimulation['rules'][number]>({
          index: INTEGER,
          kind: TEXT,
          rule: OPEN,
          words: TEXT,
          refuses: INTEGER,
          approvals: INTEGER,
        }),
      ),
      refused: listOf(
        object<ShownSimulation['refused'][number]>({
          order: TEXT_OR_NULL,
          at: TIME,
          pair: TEXT,
          amount: AMOUNT,
          reasons: TEXTS,
        }),
      ),
      since: TIME_OR_NULL,
      ...PLACE,
    }),
    stopped: object({ stopped: BOOLEAN, reason: TEXT_OR_NULL, wasStopped: BOOLEAN, ...PLACE }, [
      'reason',
      'wasStopped',
    ]),
    suspended: object({
      suspended: NAMED,
      side: SIDE_OR_NULL,
      until: TIME_OR_NULL,
      reason: TEXT_OR_NULL,
      ...PLACE,
    }),
    unsuspended: object({
      lifted: INTEGER,
      unsuspended: NAMED,
      side: SIDE_OR_NULL,
      ...PLACE,
    }),
    approval: object<ApprovalResult>({
      id: TEXT,
      state: oneOf('pending', 'granted', 'refused', 'used', 'expired', 'altered'),
      ...PLACE,
      requestedAt: TIME,
      requestedBy: TEXT,
      until: TIME,
      digest: TEXT,
      account: TEXT,
      policy: TEXT,
      keys: TEXTS,
      grants: listOf(object<ApprovalResult['grants'][number]>({ key: TEXT, actor: TEXT, at: TIME })),
      request: OPEN,
    }),
    approverKey: object({
      publicKey: TEXT,
      file: TEXT,
      made: BOOLEAN,
    }),
    link: object<LinkResult>(
      {
        n: INTEGER,
        at: TIME,
        actor: TEXT,
        profile: TEXT,
        account: TEXT,
        type: TEXT,
        data: OPEN,
        previous: TEXT,
        hash: TEXT,
      },
      ['at', 'actor', 'profile', 'account', 'type', 'data', 'previous'],
    ),
    exported: object({ file: TEXT_OR_NULL, head: TEXT }),
    verified: object<VerifiedChain & { ok: boolean }>({
      ok: BOOLEAN,
      links: INTEGER,
      head: TEXT,
      problems: listOf(object<ChainProblem>({ n: INTEGER_OR_NULL, problem: TEXT })),
    }),
  },
};
