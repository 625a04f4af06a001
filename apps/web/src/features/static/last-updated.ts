/** Of the terms and the privacy policy, as stated (PUB-07, PUB-08). */
export const lastUpdated = 'March 11, 2025';
