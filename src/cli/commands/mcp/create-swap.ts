import { type InputRequiredResult, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import { SwapctlError, UsageError } from '../../../base/errors.ts';
import { shellQuote } from '../../../base/files.ts';
import { visible } from '../../../base/text.ts';
import { rfc3339 } from '../../../base/time.ts';
import type { CheckedSwap, SwapInput } from '../../../core/swaps/check.ts';
import type { CreatedSwap } from '../../../core/swaps/create.ts';
import { onLedger } from '../../../core/swaps/create-records.ts';
import { createSwap, type Review } from '../../../core/swaps/create-swap.ts';
import { announce, type Context } from '../../context.ts';
import { idempotencyKeyArgument } from '../shared/arguments.ts';
import { digestOf, type Reviewed } from './confirmations.ts';
import { priceOf } from './reading-tools.ts';
import type { ToolCall } from './tool.ts';

const FORM = 'payoutAddress';
/** How much of the payout address a person types. */
const TYPED = 6;
/** Begins the id of an approval of the ledger, which a person grants with `swapctl policy approvals grant`. */
const GRANTED = 'apr_';

/**
 * Creates a swap once, or returns the one of its idempotency key. A policy that requires an approval, or a host that shows
 * no forms, gets an approval id first; a host with forms shows one in which a person types the end of the payout address.
 */
export async function createTool(call: ToolCall): Promise<object | InputRequiredResult> {
  const { context } = call;
  const { asked, approval, ...terms } = readWanted(call);
  const granted = approval?.startsWith(GRANTED) === true ? { id: approval } : null;
  let question: object | InputRequiredResult = {};
  try {
    const created = await createSwap(onLedger(context), asked, {
      ...terms,
      approval: granted,
      confirm: async (review) => {
        const warnings = await warningsOf(context, review);
        // The ledger refuses it, or requests the approval of a person, who then reviews it.
        if (review.decision?.decision !== 'allow' || review.decision.approval !== null) return { yes: 'now' };
        const reviewed = confirmed(call, granted === null ? approval : null, review.draft);
        if (reviewed !== null) return { yes: { deposit: reviewed.amount, receive: reviewed.receive } };
        question = askedFor(call, review.draft, warnings);
        return null;
      },
      steps: { announce: async () => announce(context, await context.service()) },
    });
    return created === null ? question : await createdResult(context, created);
  } catch (error) {
    if (approval !== null) throw error;
    return approvalResult(error);
  }
}

/** Sentences that a person has to know; an agent may try another key after a lost answer. */
async function warningsOf(context: Context, { draft, identical }: Review<SwapInput>) {
  const warnings = [...draft.warnings, ...(identical === null ? [] : [identical])];
  for (const text of warnings) await context.notify({ level: 'warning', text });
  return warnings;
}

function readWanted(call: ToolCall) {
  const { args } = call;
  if (args.text('memo') !== null && args.on('noMemo'))
    throw new UsageError('Conflicting memos: pass only one of memo and noMemo.');
  const asked = {
    ...priceOf(call),
    address: args.required('address').trim(),
    memo: args.text('memo'),
    memoWaived: args.on('noMemo'),
    refundAddress: args.text('refundAddress')?.trim() ?? null,
    minReceive: args.amount('minReceive'),
    tolerance: null,
  };
  return {
    asked,
    labels: args.labels(),
    key: idempotencyKeyArgument(args.required('idempotencyKey')),
    approval: args.text('approval'),
  };
}

/** The approval that an error requires, as a result. Throws any other error. */
export function approvalResult(error: unknown): object {
  const approval = error instanceof SwapctlError ? error.details?.['approval'] : null;
  if (!(error instanceof SwapctlError) || error.code !== 'approval_required' || approval == null) throw error;
  return { approval, next: `${error.message} ${error.hint ?? ''}` };
}

/** What a person confirmed, in the form or by a second call; null if no one was asked yet. Throws `declined`. */
function confirmed(call: ToolCall, given: string | null, { request }: CheckedSwap): Reviewed | null {
  const { form, confirmations } = call;
  const state = form?.state ?? given;
  if (state === null) return null;
  const reviewed = confirmations.redeem(state);
  if (reviewed.digest !== digestOfCall(call)) throw declined('The confirmation is for another request.');
  if (form === null && reviewed.byForm) throw declined('The person has to answer the form.');
  if (form === null) return reviewed;
  const answer = inputResponse(form.answers, FORM);
  if (answer.kind !== 'elicit' || answer.action !== 'accept') throw declined('The person did not confirm.');
  const typed = answer.content?.['lastSix'];
  const due = request.address.slice(-TYPED).toLowerCase();
  if (typeof typed === 'string' && typed.trim().toLowerCase() === due) return reviewed;
  throw declined('The characters do not match the end of the payout address.');
}

function declined(why: string): SwapctlError {
  return new SwapctlError('declined', `${why} Nothing was sent.`, {
    hint: 'Ask the person before you try again.',
  });
}

/** Asks for the end of the payout address in a form, or for a second call where the host shows no forms. */
function askedFor(call: ToolCall, draft: CheckedSwap, warnings: readonly string[]) {
  const { quote, request } = draft;
  const { id, until } = call.confirmations.issue({
    digest: digestOfCall(call),
    amount: request.amount,
    receive: quote.receive,
    byForm: call.hasForms,
  });
  if (!call.hasForms)
    return {
      approval: { id, until: rfc3339(until) },
      review: reviewOf(draft),
      next: 'Nothing was sent. Show the review and any notes to the person. If they agree, call again with the same arguments and this approval id.',
    };
  const facts = Object.entries(reviewOf(draft));
  return inputRequired({
    requestState: id,
    inputRequests: {
      [FORM]: inputRequired.elicit({
        message: [
          ...facts.map(([name, value]) => `${titleOf(name)}: ${visible(value ?? 'none')}`),
          ...warnings.map((text) => `Warning: ${visible(text)}`),
          'Compare the payout address with the one you were given by the recipient.',
        ].join('\n'),
        requestedSchema: {
          type: 'object',
          properties: {
            lastSix: {
              type: 'string',
              title:
                'Last six characters of the payout address, copied from the recipient and not from this form',
              minLength: TYPED,
              maxLength: TYPED,
            },
          },
          required: ['lastSix'],
        },
      }),
    },
  });
}

/** `Payout address` for `payoutAddress`. */
function titleOf(key: string): string {
  const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function reviewOf({ service, request, quote }: CheckedSwap) {
  const { deposit, receive, amount, type, address, memo, refundAddress } = request;
  return {
    service: `${service.host} (${service.environment}, profile ${service.profile})`,
    send: `${amount} ${deposit.coin} on ${deposit.network}`,
    receive: `${quote.receive} ${receive.coin} on ${receive.network}, ${type} rate`,
    payoutAddress: address,
    memo,
    refundAddress,
  };
}

/** Digest of everything that a person confirms. */
function digestOfCall({ args }: ToolCall): string {
  const { approval: _, ...rest } = args.values;
  return digestOf(rest);
}

async function createdResult(context: Context, created: CreatedSwap): Promise<object> {
  const { swap, notices, replayed, ledgerError } = created;
  const problem = ledgerError === null ? [] : [`${ledgerError.message} ${ledgerError.hint ?? ''}`];
  for (const text of [...notices, ...problem]) await context.notify({ level: 'warning', text });
  const { sandbox, profile } = context.flags;
  const place = sandbox === true ? '--sandbox' : `-p ${shellQuote(profile ?? '')}`;
  // The service chose the order number, and a person pastes this into a shell.
  const command = `swapctl status ${shellQuote(swap.order ?? '')} ${place}`;
  const next = `Before anything is paid, have the person run \`${command}\` on their own screen and compare the deposit address, memo and amount there; do not pass them on yourself.`;
  return { ...swap, replayed, next };
}
