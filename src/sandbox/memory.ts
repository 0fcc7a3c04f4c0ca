import { InMemory } from '../database/database.ts';

/** A place in the memory of this process for a new sandbox, whose server and operators share it by this object. */
export function sandboxMemory(): InMemory {
  return new InMemory();
}
