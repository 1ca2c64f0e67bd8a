// What every language model ends with: a matrix times a vector, and what is likeliest of thousands.

// Return a matrix times a vector plus a bias. Four rows at a time do not wait for each other; their places
// are plain sums of two numbers and nothing is unpacked in the loop, which is then half as long.
/** @param {ArrayLike<number>} matrix @param {ArrayLike<number>} vector @param {ArrayLike<number>} bias */
function product(matrix, vector, bias) {
  const [rows, width] = [bias.length, vector.length];
  const found = new Float64Array(rows);
  const x = new Float64Array(vector); // of one kind, so that the engine need not ask in every step
  const start = (/** @type {number} */ row) => Math.min(row, rows - 1) * width; // beyond the last: the last again
  for (let row = 0; row < rows; row += 4) {
    const one = row * width;
    const two = start(row + 1);
    const three = start(row + 2);
    const four = start(row + 3);
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let k = 0; k < width; k++) {
      const own = x[k];
      a += matrix[one + k] * own;
      b += matrix[two + k] * own;
      c += matrix[three + k] * own;
      d += matrix[four + k] * own;
    }
    found[row] = a;
    if (row + 1 < rows) found[row + 1] = b;
    if (row + 2 < rows) found[row + 2] = c;
    if (row + 3 < rows) found[row + 3] = d;
  }
  for (let row = 0; row < rows; row++) found[row] += bias[row];
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
