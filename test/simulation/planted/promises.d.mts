/** The page about the promises of docs/safety.md, as it has to be. */
export declare function promisesPage(): string;
