// A valid contact, as a caller sends it.
export const anna = {
  firstname: 'Anna',
  lastname: 'Berg',
  email: 'anna@example.com',
  password: 'correct horse',
  address1: 'Street 1',
  city: 'Lyon',
  state: 'Rhone',
  zipcode: '69003',
  country: 'FR',
};
