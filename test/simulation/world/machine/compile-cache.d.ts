/** The program in bin/ that has no types. */
declare module '*/bin/compile-cache.js' {
  export function privateFolder(
    env: NodeJS.ProcessEnv,
    platform: string,
    user: number | undefined,
  ): string | undefined;
}
