// The customer in most test sites, without API keys.
export const ada = {
  id: 1,
  firstname: 'Ada',
  lastname: 'Winter',
  email: 'ada@example.net',
  address1: 'Keizersgracht 12',
  city: 'Amsterdam',
  state: 'Noord-Holland',
  postcode: '1015CJ',
  country: 'NL',
} as const;
