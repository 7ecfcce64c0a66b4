/** 150 faults in one record. */
export const faulty = {
  firstName: 'Ana',
  lastName: 'Silva',
  licenses: Array(50).fill({ number: 1, region: 2, type: 3 }),
};

export const namesOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, n]));
