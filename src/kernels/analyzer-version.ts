/** Part of an index's identity: texts analysed, or their language detected, by another version must be analysed again. */
export const analyzerVersion = '2';
