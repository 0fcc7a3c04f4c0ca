import { afterAll, beforeAll, describe } from 'vitest';
import { HABIT_NAMES, type HabitName } from '../../src/partner-api/habits.ts';
import { readHabits } from '../../src/sandbox/built-in.ts';

/** A kind of the built-in service that the client has to get on with. */
export type ServiceKind = 'plain' | 'rough';

/** Habits that a test cannot have, each with what a service with it rightly answers instead. */
export type LeftOut = Partial<Record<HabitName, string>>;

/** Habits for every test of this run, by name or `all`; vitest.config.mts sets it. */
const WORDS = process.env['SWAPCTL_TEST_ROUGH'] ?? '';
const HABITS_OF_RUN: readonly HabitName[] = WORDS === '' ? [] : [...readHabits(WORDS)];

let habits = HABITS_OF_RUN;

/** Whether the built-in service has a habit in every test of this run, so that it rightly answers otherwise. */
export function isHabitOfRun(name: HabitName): boolean {
  return HABITS_OF_RUN.includes(name);
}

/** What `sandbox start` is told besides, so that its service is as rough as the built-in one. */
export function startFlags(): readonly string[] {
  return HABITS_OF_RUN.length === 0 ? [] : ['--rough', HABITS_OF_RUN.join(',')];
}

/** What the environment of every run holds for the built-in service of the moment. */
export function serviceEnv(): Readonly<Record<string, string>> {
  return habits.length === 0 ? {} : { SWAPCTL_SANDBOX_ROUGH: habits.join(',') };
}

/**
 * Defines the same tests for the plain built-in service and for a rough one, which has every habit but those left out
 * because a service with them rightly answers otherwise; what it answers then is tested in rough-service.test.ts. Throws
 * in the project `rough`, where they would all run a second time.
 */
export function onEachService(leftOut: LeftOut, define: (kind: ServiceKind) => void): void {
  if (HABITS_OF_RUN.length > 0)
    throw new Error('These tests have both services: take them off ON_A_ROUGH_SERVICE.');
  for (const kind of ['plain', 'rough'] as const)
    describe(`with the ${kind} service`, () => {
      beforeAll(() => {
        habits = kind === 'plain' ? [] : HABIT_NAMES.filter((name) => leftOut[name] === undefined);
      });
      afterAll(() => {
        habits = HABITS_OF_RUN;
      });
      define(kind);
    });
}
