/** One word that the line may go on with. */
export interface Candidate {
  readonly word: string;
  readonly description: string;
}
