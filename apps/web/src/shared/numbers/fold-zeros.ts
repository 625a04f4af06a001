/** The short form of tiny prices, for the chart's axis, the pair bar and lists. Not in the index: the landing page needs none. */

const subscripts = '₀₁₂₃₄₅₆₇₈₉';
const tinyFigure = /^([+\u2212]?0\.)(0{4,})(?=[1-9])/;
const longZero = /^0\.0{5,}$/;

/**
 * Writes the zeros after the decimal point as a small count: 0.00000143 becomes 0.0₅143. A zero of many decimals
 * becomes 0.00. Other text is unchanged.
 */
export const foldZeros = (text: string): string =>
  text.replace(longZero, '0.00').replace(tinyFigure, (_all, head: string, zeros: string) => {
    const count = [...`${zeros.length}`].map((digit) => subscripts[Number(digit)]);
    return `${head}0${count.join('')}`;
  });
