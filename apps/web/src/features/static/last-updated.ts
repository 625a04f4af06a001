/** The stated date of the terms and the privacy policy (PUB-07, PUB-08). */
export const lastUpdated = 'March 11, 2025';
