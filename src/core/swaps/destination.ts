import { fullSentence, UsageError } from '../../base/errors.ts';
import { shellQuote } from '../../base/files.ts';
import { visible } from '../../base/text.ts';
import { createRedactor } from '../partner-api/redaction.ts';
import { checkAddress } from '../swap/addresses/check.ts';
import { checkDestination, type RefusedDestination } from '../swap/addresses/destination.ts';
import type { AcceptedAddress } from '../swap/addresses/parsed-address.ts';
import { secretReason } from '../swap/addresses/secrets.ts';
import type { Labels } from '../swap/labels.ts';
import { secretInMemo } from '../swap/memo.ts';
import type { Environment } from '../swap/swap.ts';
import type { Ports } from './ports.ts';

interface AddressToCheck {
  readonly network: string;
  readonly address: string;
  readonly environment: Environment;
  readonly what: 'payout' | 'refund';
}

/** A payout address with its memo; `waived` is an explicit `--no-memo`. */
interface DestinationToCheck extends AddressToCheck {
  readonly memo: string | null;
  readonly memoNeeded: boolean;
  readonly waived: boolean;
}

/** An address as it is to be sent, with warnings to accept first. */
export interface CheckedDestination {
  readonly address: string;
  readonly memo: string | null;
  readonly warnings: readonly string[];
}

/** Checks a payout address with its memo. Throws `invalid_address`, `memo_required` or `invalid_memo`. */
export async function checkedDestination(wanted: DestinationToCheck): Promise<CheckedDestination> {
  const { network, address, memo, memoNeeded, waived: memoWaived } = wanted;
  const verdict = await checkDestination(network, address, memo, { memoNeeded, memoWaived });
  if (!verdict.ok) throw refusal(wanted, verdict.code, verdict.reason);
  return accepted(wanted, verdict.address, verdict.memo);
}

/** Checks an address for which there is no memo, such as a refund address. Throws `invalid_address`. */
export async function checkedAddress(wanted: AddressToCheck): Promise<CheckedDestination> {
  const verdict = await checkAddress(wanted.network, wanted.address);
  if (!verdict.ok) throw refusal(wanted, 'invalid_address', verdict.reason);
  if (verdict.unspendable) throw refusal(wanted, 'invalid_address', verdict.warnings.join(' '));
  if (verdict.tag !== undefined || verdict.memoId !== undefined)
    throw refusal(wanted, 'invalid_address', 'it contains a memo, but the service has no field for one here');
  return accepted(wanted, verdict, null);
}

function accepted(
  wanted: AddressToCheck,
  { canonical, testnet, warnings }: AcceptedAddress,
  memo: string | null,
): CheckedDestination {
  if (testnet && wanted.environment === 'live')
    throw refusal(wanted, 'invalid_address', 'it is a test network address');
  const prefix = wanted.what === 'payout' ? '' : 'refund address: ';
  return { address: canonical, memo, warnings: warnings.map((text) => `${prefix}${text}`) };
}

/** Throws `invalid_memo` for a seed phrase or a private key given as memo, before it is repeated or stored anywhere. */
export async function refuseSecretMemo(memo: string | null, network: string | null): Promise<void> {
  if (memo === null) return;
  const secret = await secretInMemo(network ?? '', memo);
  if (secret === undefined) return;
  throw new UsageError(
    `Invalid memo. ${secretReason(secret, 'a memo')}`,
    'Nothing was sent or stored.',
    'invalid_memo',
  );
}

/** Refuses labels with a seed phrase, a key, or the secret or a signature of the profile, without repeating them. */
export async function refuseSecretLabels(ports: Pick<Ports, 'service'>, labels: Labels): Promise<void> {
  if (Object.keys(labels).length === 0) return;
  const { profile, credentials } = await ports.service();
  const redacted = createRedactor(credentials);
  for (const text of Object.entries(labels).flat()) {
    if (redacted(text) !== text)
      throw new UsageError(
        `Invalid label. It contains the secret of profile ${profile}, or a signature made with it.`,
        'Nothing was sent or stored.',
      );
    const secret = await secretInMemo('', text);
    if (secret === undefined) continue;
    throw new UsageError(`Invalid label. ${secretReason(secret, 'a label')}`, 'Nothing was sent or stored.');
  }
}

function refusal(wanted: AddressToCheck, code: RefusedDestination['code'], reason: string): UsageError {
  const { network, what } = wanted;
  const check = `swapctl address ${shellQuote(network)} <address>`;
  const [subject, hint] = {
    invalid_address: [`Invalid ${what} address`, `Nothing was sent. Check an address with \`${check}\`.`],
    invalid_memo: [
      `Invalid memo for ${network}`,
      `Nothing was sent. Check it with \`${check} --memo <memo>\`.`,
    ],
    memo_required: [
      `Missing memo for ${network}`,
      'Pass it with --memo, or pass --no-memo if the recipient needs none.',
    ],
  }[code] as [string, string];
  // Most reasons are complete sentences, some only end this one.
  const message = fullSentence(`${subject}${/^[A-Z]/.test(reason) ? '.' : ':'} ${visible(reason)}`);
  return new UsageError(message, hint, code, { network, reason });
}
