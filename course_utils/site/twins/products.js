// What every language model ends with: a matrix times a vector, and what is likeliest of thousands.

// Return a matrix times a vector plus a bias: four rows at a time, which do not wait for each other, and
// two of their numbers, which halves the additions that do.
/** @param {ArrayLike<number>} matrix @param {ArrayLike<number>} vector @param {ArrayLike<number>} bias */
function product(matrix, vector, bias) {
  const [rows, width] = [bias.length, vector.length];
  const found = new Float64Array(rows);
  const x = new Float64Array(vector); // of one kind, so that the engine need not ask in every step
  const [second, third, fourth] = [width, 2 * width, 3 * width];
  const pairs = width - (width % 2);
  for (let row = 0; row < rows; row += 4) {
    let [a, b, c, d] = [0, 0, 0, 0];
    let at = row * width;
    for (let k = 0; k < pairs; k += 2, at += 2) {
      const [one, other] = [x[k], x[k + 1]];
      a += matrix[at] * one + matrix[at + 1] * other;
      b += matrix[at + second] * one + matrix[at + second + 1] * other;
      c += matrix[at + third] * one + matrix[at + third + 1] * other;
      d += matrix[at + fourth] * one + matrix[at + fourth + 1] * other;
    }
    if (pairs < width) {
      a += matrix[at] * x[pairs];
      b += matrix[at + second] * x[pairs];
      c += matrix[at + third] * x[pairs];
      d += matrix[at + fourth] * x[pairs];
    }
    found[row] = a + bias[row];
    if (row + 1 < rows) found[row + 1] = b + bias[row + 1];
    if (row + 2 < rows) found[row + 2] = c + bias[row + 2];
    if (row + 3 < rows) found[row + 3] = d + bias[row + 3];
  }
  return found;
}

// Return log p of every word, given a score for each.
/** @param {Float64Array} scores */
function logSoftmax(scores) {
  let most = -Infinity;
  for (const score of scores) most = Math.max(most, score);
  let sum = 0;
  for (const score of scores) sum += Math.exp(score - most);
  const all = most + Math.log(sum);
  return scores.map((score) => score - all);
}

// Return the places of the largest values, the largest first; of equal ones the first.
/** @param {Float64Array} values @param {number} count */
function largestPlaces(values, count) {
  /** @type {number[]} */
  const found = [];
  for (let n = 0; n < values.length; n++) {
    if (found.length === count && values[n] <= values[found[count - 1]]) continue;
    let place = found.length;
    while (place && values[found[place - 1]] < values[n]) place--;
    found.splice(place, 0, n);
    if (found.length > count) found.pop();
  }
  return found;
}
