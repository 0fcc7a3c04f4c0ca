import { afterAll, beforeAll, describe } from 'vitest';
import { HABIT_NAMES, type HabitName } from '../../src/core/partner-api/habits.ts';
import { IN_LONG_RUN } from './random-runs.ts';

/** A kind of the built-in service that the client has to get on with. */
export type ServiceKind = 'plain' | 'rough';

/** Habits that a test cannot have, each with what a service with it rightly answers instead. */
export type LeftOut = Partial<Record<HabitName, string>>;

let habits: readonly HabitName[] = [];

/** Whether the built-in service of the moment has a habit, so that it rightly answers otherwise. */
export function hasHabit(name: HabitName): boolean {
  return habits.includes(name);
}

/** What the environment of every run holds for the built-in service of the moment. */
export function serviceEnv(): Readonly<Record<string, string>> {
  return habits.length === 0 ? {} : { SWAPCTL_SANDBOX_ROUGH: habits.join(',') };
}

/**
 * Defines the same tests for the plain built-in service and for a rough one, which has every habit but those left out
 * because a service with them rightly answers otherwise; what it answers then is tested in rough-service.test.ts. For
 * tests that ask the built-in service through the client; not for those that bring a service of their own, and not for
 * those about the sandbox itself, which test/conformance and test/sandbox/habits.test.ts check with its habits.
 * `npm run test:fast` leaves out the rough one.
 */
export function onEachService(leftOut: LeftOut, define: (kind: ServiceKind) => void): void {
  for (const kind of IN_LONG_RUN ? (['plain', 'rough'] as const) : (['plain'] as const))
    describe(`with the ${kind} service`, () => {
      beforeAll(() => {
        habits = kind === 'plain' ? [] : HABIT_NAMES.filter((name) => leftOut[name] === undefined);
      });
      afterAll(() => (habits = []));
      define(kind);
    });
}
