// A settings file with the characters that passwords have, and its values.

/** In the format of systemd's EnvironmentFile=. */
export const awkwardSettings = String.raw`# PLAIN='not closed
PLAIN=sec$ret12&x|y;(z)*
DOLLARS=sec$$ret12
INNER=it's "fine" # here
SINGLE='a "b" $c \d '
DOUBLE="a \"b\" 'c' \$d \\e \f "
ESCAPED=\"back\\slash\$\ 
JOINED='one' "two"three
EMPTY=
UMLAUT=Schlüssel€
`;
export const awkwardValues = {
  PLAIN: 'sec$ret12&x|y;(z)*',
  DOLLARS: 'sec$$ret12',
  INNER: 'it\'s "fine" # here',
  SINGLE: String.raw`a "b" $c \d `,
  DOUBLE: String.raw`a "b" 'c' $d \e \f `,
  ESCAPED: String.raw`"back\slash$ `,
  JOINED: 'onetwothree',
  EMPTY: '',
  UMLAUT: 'Schlüssel€',
};
