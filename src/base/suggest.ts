/** Up to three different words similar to the wanted one, the nearest first, ignoring case. */
export function nearestWords(words: readonly string[], wanted: string): string[] {
  const target = wanted.toUpperCase();
  return [...new Set(words)]
    .filter((word) => Math.abs(word.length - target.length) <= 2)
    .map((word) => ({ word, distance: editDistance(word.toUpperCase(), target) }))
    .filter(({ distance, word }) => distance < target.length && distance <= (word.length > 4 ? 2 : 1))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ word }) => word);
}

/** A hint with the words most similar to the wanted one, or another hint where none is similar. */
export function didYouMean(words: readonly string[], wanted: string, otherwise: string): string {
  const near = nearestWords(words, wanted);
  return near.length > 0 ? `Did you mean ${near.join(', ')}?` : otherwise;
}

/** Levenshtein distance; both texts are about as long. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const change = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(change, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
