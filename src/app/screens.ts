// stub
export const screensMeta = 'screens';
