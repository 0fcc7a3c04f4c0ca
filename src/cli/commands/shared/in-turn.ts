import type { Context } from '../../context.ts';
import { GoneBack, type Prompter } from '../../terminal/questions.ts';

/** A context in which Esc at any question but a password's throws {@link GoneBack}, and the number of its answers. */
export function escapable(context: Context) {
  let answers = 0;
  const counted = async <T>(answer: Promise<T>): Promise<T> => {
    const given = await answer;
    answers += 1;
    return given;
  };
  const { prompter } = context;
  const asking: Prompter = {
    select: (question) => counted(prompter.select({ ...question, back: true })),
    search: (question) => counted(prompter.search({ ...question, back: true })),
    input: (question) => counted(prompter.input({ ...question, back: true })),
    confirm: (question) => counted(prompter.confirm({ ...question, back: true })),
    password: (question) => counted(prompter.password(question)),
  };
  return { context: { ...context, prompter: asking }, answered: () => answers };
}

/** A step of a series of questions: the state with its answers. It may ask several questions, or none. */
export type Step<S> = (context: Context, state: S) => Promise<S>;

/**
 * Goes through steps one after the other. Esc goes back one question: to the start of the step, or from there to the last
 * step that asked something. `onState` gets the state before each step.
 */
export async function askInTurn<S>(
  context: Context,
  start: S,
  steps: readonly Step<S>[],
  onState: (state: S) => void,
): Promise<S> {
  const asked: { readonly at: number; readonly state: S }[] = [];
  let [at, state] = [0, start];
  for (let step = steps[at]; step !== undefined; step = steps[at]) {
    const [current, before, asking] = [step, state, escapable(context)];
    try {
      onState(before);
      state = await current(asking.context, before);
      if (asking.answered() > 0) asked.push({ at, state: before });
      at += 1;
    } catch (error) {
      if (!(error instanceof GoneBack)) throw error;
      const earlier = asking.answered() > 0 ? undefined : asked.pop();
      if (earlier !== undefined) ({ at, state } = earlier);
    }
  }
  return state;
}
