import { existsSync } from 'node:fs';
import { UsageError } from '../../../base/errors.ts';
import { rfc3339OrNull } from '../../../base/time.ts';
import { changeOf } from '../../../core/ledger/policy/changes.ts';
import { policyDigest } from '../../../core/ledger/policy/guard.ts';
import type { Context } from '../../context.ts';
import { announce } from '../../context.ts';
import { makeSigningKey, type SigningKey } from '../../settings/signing-key.ts';
import { policyChangeText, policySetView } from '../../views/policy.ts';
import { ownerSigner } from '../shared/owner-key.ts';
import { confirmed } from '../shared/questions.ts';
import { readPolicyFile } from './read.ts';

/** Checks a policy, shows what it changes, asks for confirmation on a terminal, and stores it. */
export async function setPolicy(
  context: Context,
  { file, ownerKey, yes }: { readonly file: string; readonly ownerKey: string | null; readonly yes: boolean },
): Promise<void> {
  const { streams } = context;
  const asks = !yes && streams.interactive;
  if (asks && file === '-')
    throw new UsageError('With the policy on standard input, policy set needs --yes.');
  const policy = await readPolicyFile(context, file);
  const owner = await context.owner();
  const ledger = await context.ledger();
  const guard = await ledger.guards.read(owner);
  const before = 'value' in guard.policy ? (guard.policy.value?.digest ?? null) : null;
  const change = changeOf(guard, policy);
  announce(context, owner);
  streams.noteRendered(policyChangeText(change, await streams.noteStyle(), streams.noteWidth));
  if (policy.expires !== null && policy.expires <= context.now())
    await streams.warn('this policy has already expired: it refuses everything.');
  if (asks) await confirmed(context, 'Store this policy?', 'nothing was stored');
  const signer = signerOf(context, ownerKey, guard.ownerKey);
  await ledger.guards.set(owner, { policy, before, signer }, context.now());
  const { profile, environment } = owner;
  const pinned = guard.ownerKey ?? signer?.publicKey ?? null;
  const { expires } = policy;
  await streams.print(
    policySetView({
      policy: policyDigest(policy),
      rules: policy.rules.length,
      expires: rfc3339OrNull(expires),
      ...change,
      ownerKey: pinned,
      profile,
      environment,
    }),
  );
}

/** The owner's key; it is created if there is none. */
function signerOf({ streams }: Context, path: string | null, pinned: string | null): SigningKey | null {
  if (path === null || pinned !== null || existsSync(path)) return ownerSigner(path);
  const key = makeSigningKey(path);
  streams.note(`Created the owner key in ${path}. Keep it where unattended programs cannot read it.`, true);
  return key;
}
