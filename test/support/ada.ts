// The customer that most sites of tests have, without her keys.
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
