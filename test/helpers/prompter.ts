import { InterruptedError } from '../../src/base/errors.ts';
import { type Choice, GoneBack, type Prompter, type Validate } from '../../src/cli/terminal/questions.ts';

/**
 * One expected question and its answer. The question's text must hold what stands behind `select`, `search`,
 * `input`, `password` or `confirm`; a choice is picked by a part of its name.
 */
export type Step =
  | { readonly select: string; readonly pick: string }
  | { readonly search: string; readonly term?: string; readonly pick: string }
  | {
      readonly input: string;
      readonly answer: string;
      /** Answers tried first, each with a part of the reason for which it must be refused. */
      readonly refused?: readonly (readonly [answer: string, reason: string])[];
      /** A part of what must stand below the question when the answer is typed. */
      readonly preview?: string;
    }
  | { readonly password: string; readonly answer: string }
  | { readonly confirm: string; readonly answer: boolean }
  /** Ctrl-C, or the end of input, at any kind of question. */
  | { readonly leave: string }
  /** Esc at any kind of question that can be left that way. */
  | { readonly back: string };

/** A prompter that follows a script, and what it saw. */
export interface ScriptedPrompter extends Prompter {
  /** The questions so far, each choice of theirs on a line of its own. */
  readonly asked: readonly string[];
  /** Throws if steps of the script are left over. */
  done(): void;
}

/** A prompter that fails on a question that its script does not expect, or expects otherwise. */
export function scriptedPrompter(steps: readonly Step[]): ScriptedPrompter {
  const left = [...steps];
  const asked: string[] = [];
  const next = <K extends 'select' | 'search' | 'input' | 'password' | 'confirm'>(
    kind: K,
    { message, back = false }: { readonly message: string; readonly back?: boolean },
  ): Extract<Step, Record<K, string>> => {
    asked.push(message);
    const step = left.shift();
    if (step === undefined) throw new Error(`Unexpected question: ${message}`);
    if ('leave' in step) {
      expectPart(message, step.leave);
      throw new InterruptedError('SIGINT');
    }
    if ('back' in step) {
      expectPart(message, step.back);
      if (!back) throw new Error(`Esc does not leave the question: ${message}`);
      throw new GoneBack();
    }
    if (!(kind in step))
      throw new Error(`Expected ${JSON.stringify(step)}, but was asked: ${kind} ${message}`);
    const expected = step as Extract<Step, Record<K, string>>;
    expectPart(message, expected[kind] as string);
    return expected;
  };
  return {
    asked,
    select: async ({ choices, ...question }) => {
      asked.push(...choices.map(({ name }) => `  ${name}`));
      return picked(choices, next('select', question).pick);
    },
    search: async ({ source, ...question }) => {
      const { term = '', pick } = next('search', question);
      const choices = await source(term);
      asked.push(...choices.map(({ name }) => `  ${name}`));
      return picked(choices, pick);
    },
    input: async ({ validate, preview, inPlace, ...question }) => {
      const step = next('input', question);
      for (const [answer, reason] of step.refused ?? []) expectPart(await verdict(validate, answer), reason);
      if (step.preview !== undefined) expectPart(await preview?.(step.answer), step.preview);
      const problem = await verdict(validate, step.answer);
      if (problem !== 'taken') throw new Error(`${step.answer} was refused: ${problem}`);
      if (inPlace?.()) throw new Error(`${step.answer} stands on the screen as ${inPlace()}`);
      return step.answer;
    },
    password: async (question) => next('password', question).answer,
    confirm: async (question) => next('confirm', question).answer,
    done: () => {
      if (left.length > 0) throw new Error(`Questions that were never asked: ${JSON.stringify(left)}`);
    },
  };
}

async function verdict(validate: Validate | undefined, answer: string): Promise<string> {
  const printed = (await validate?.(answer)) ?? true;
  return printed === true ? 'taken' : printed;
}

function picked<T>(choices: readonly Choice<T>[], part: string): T {
  const found = choices.find(({ name }) => name.includes(part));
  if (found !== undefined) return found.value;
  throw new Error(`No choice holds ${part}: ${choices.map(({ name }) => name).join(' | ')}`);
}

function expectPart(text: string | undefined, part: string): void {
  if (text?.includes(part) !== true) throw new Error(`Expected ${part} in: ${text}`);
}
