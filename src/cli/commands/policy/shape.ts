import type { ChainProblem } from '../../../core/ledger/policy/chain.ts';
import {
  and,
  type CommandShape,
  LEDGER,
  lines,
  list,
  one,
  READS,
  SETTINGS,
} from '../../operations/operations.ts';
import * as is from '../../operations/schema.ts';
import { PLACE } from '../../operations/shapes.ts';
import type { PolicyShown, ShownRule } from '../shared/policy-shown.ts';
import type { ApprovalResult } from './approvals.ts';
import type { LinkResult, VerifiedChain } from './audit.ts';
import type { PolicySet, ShownSimulation } from './set.ts';

const SIDE_OR_NULL = is.oneOf('deposit', 'receive', null);

const NAMED = is.objects({ kind: is.oneOf('coin', 'network', 'pair'), name: is.TEXT });

const AMOUNT_OR_COUNT = { type: ['string', 'integer'] };

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
    'policy audit export': { result: [one('exported'), lines('link')], exitCodes: LEDGER, changes: 'local' },
    'policy audit verify': { result: [one('verified')], exitCodes: and(LEDGER, 9) },
  },
  shapes: {
    policySet: is.object<PolicySet>({
      policy: is.TEXT,
      rules: is.INTEGER,
      expires: is.TIME_OR_NULL,
      loosens: is.TEXTS,
      tightens: is.TEXTS,
      ownerKey: is.TEXT_OR_NULL,
      ...PLACE,
    }),
    policy: is.object<PolicyShown>({
      policy: is.TEXT_OR_NULL,
      expires: is.TIME_OR_NULL,
      ownerKey: is.TEXT_OR_NULL,
      rules: is.objects<ShownRule>({
        index: is.INTEGER,
        kind: is.TEXT,
        rule: is.OPEN,
        words: is.TEXT,
        left: is.objects<ShownRule['left'][number]>({
          group: is.TEXT_OR_NULL,
          limit: AMOUNT_OR_COUNT,
          spent: AMOUNT_OR_COUNT,
          left: AMOUNT_OR_COUNT,
          backAt: is.TIME_OR_NULL,
        }),
      }),
      stop: is.nullable(
        is.object<NonNullable<PolicyShown['stop']>>({ at: is.TIME, actor: is.TEXT, reason: is.TEXT_OR_NULL }),
      ),
      suspensions: is.objects<PolicyShown['suspensions'][number]>({ rule: is.OPEN, words: is.TEXT }),
      problems: is.TEXTS,
      head: is.TEXT,
      ...PLACE,
    }),
    simulation: is.object<ShownSimulation>({
      swaps: is.INTEGER,
      allowed: is.INTEGER,
      approvals: is.INTEGER,
      refuses: is.INTEGER,
      notAllowed: is.INTEGER,
      rules: is.objects<ShownSimulation['rules'][number]>({
        index: is.INTEGER,
        kind: is.TEXT,
        rule: is.OPEN,
        words: is.TEXT,
        refuses: is.INTEGER,
        approvals: is.INTEGER,
      }),
      refused: is.objects<ShownSimulation['refused'][number]>({
        order: is.TEXT_OR_NULL,
        at: is.TIME,
        pair: is.TEXT,
        amount: is.AMOUNT,
        reasons: is.TEXTS,
      }),
      since: is.TIME_OR_NULL,
      ...PLACE,
    }),
    stopped: is.object({ stopped: is.BOOLEAN, reason: is.TEXT_OR_NULL, wasStopped: is.BOOLEAN, ...PLACE }, [
      'reason',
      'wasStopped',
    ]),
    suspended: is.object({
      suspended: NAMED,
      side: SIDE_OR_NULL,
      until: is.TIME_OR_NULL,
      reason: is.TEXT_OR_NULL,
      ...PLACE,
    }),
    unsuspended: is.object({ lifted: is.INTEGER, unsuspended: NAMED, side: SIDE_OR_NULL, ...PLACE }),
    approval: is.object<ApprovalResult>({
      id: is.TEXT,
      state: is.oneOf('pending', 'granted', 'refused', 'used', 'expired', 'altered'),
      ...PLACE,
      requestedAt: is.TIME,
      requestedBy: is.TEXT,
      until: is.TIME,
      digest: is.TEXT,
      account: is.TEXT,
      policy: is.TEXT,
      keys: is.TEXTS,
      grants: is.objects<ApprovalResult['grants'][number]>({ key: is.TEXT, actor: is.TEXT, at: is.TIME }),
      request: is.OPEN,
    }),
    approverKey: is.object({ publicKey: is.TEXT, file: is.TEXT, made: is.BOOLEAN }),
    link: is.object<LinkResult>(
      {
        n: is.INTEGER,
        at: is.TIME,
        actor: is.TEXT,
        profile: is.TEXT,
        account: is.TEXT,
        type: is.TEXT,
        data: is.OPEN,
        previous: is.TEXT,
        hash: is.TEXT,
      },
      ['at', 'actor', 'profile', 'account', 'type', 'data', 'previous'],
    ),
    exported: is.object({ file: is.TEXT_OR_NULL, head: is.TEXT }),
    verified: is.object<VerifiedChain & { ok: boolean }>({
      ok: is.BOOLEAN,
      links: is.INTEGER,
      head: is.TEXT,
      problems: is.objects<ChainProblem>({ n: is.INTEGER_OR_NULL, problem: is.TEXT }),
    }),
  },
};
