// What every language model ends with: a matrix times a vector, and what is likeliest of thousands.

// Return a matrix times a vector plus a bias; four rows at a time, which do not wait for each other.
/** @param {ArrayLike<number>} matrix @param {ArrayLike<number>} vector @param {ArrayLike<number>} bias */
function product(matrix, vector, bias) {
  const [rows, width] = [bias.length, vector.length];
  const found = new Float64Array(rows);
  for (let row = 0; row < rows; row += 4) {
    let first = 0;
    let second = 0;
    let third = 0;
    let fourth = 0;
    for (let k = 0, at = row * width; k < width; k++, at++) {
      const x = vector[k];
      first += matrix[at] * x;
      second += matrix[at + width] * x;
      third += matrix[at + 2 * width] * x;
      fourth += matrix[at + 3 * width] * x;
    }
    found[row] = first + bias[row];
    if (row + 1 < rows) found[row + 1] = second + bias[row + 1];
    if (row + 2 < rows) found[row + 2] = third + bias[row + 2];
    if (row + 3 < rows) found[row + 3] = fourth + bias[row + 3];
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
