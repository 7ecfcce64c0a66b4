/** Names of people and places, the most frequent first. */

const words = (text: string) => text.trim().split(/\s+/);

export const firstNames = words(`
  James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard Susan Joseph Jessica
  Thomas Sarah Christopher Karen Charles Lisa Daniel Nancy Matthew Betty Anthony Sandra Mark Margaret Donald Ashley
  Steven Kimberly Andrew Emily Paul Donna Joshua Michelle Kenneth Carol Kevin Amanda Brian Melissa Timothy Deborah
  Ronald Stephanie George Rebecca Jason Sharon Edward Laura Jeffrey Cynthia Ryan Dorothy Jacob Amy Nicholas Kathleen
  Gary Angela Eric Shirley Jonathan Emma Stephen Brenda Larry Pamela Justin Nicole Scott Anna Brandon Samantha
  Benjamin Katherine Samuel Christine Gregory Debra Alexander Rachel Patrick Carolyn Frank Janet Raymond Maria
  Ana Luísa José Zoë Søren Renée Íñigo Łukasz`);

export const lastNames = words(`
  Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson Anderson
  Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young
  Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter
  Roberts Gomez Phillips Evans Turner Diaz Parker Cruz Edwards Collins Reyes Stewart Morris Morales Murphy Cook Rogers
  Gutierrez Ortiz Morgan Cooper Peterson Bailey Reed Kelly Howard Ramos Kim Cox Ward Richardson Watson Brooks Chavez
  Wood James Bennett Gray Mendoza Ruiz Hughes Price Alvarez Castillo Sanders Patel Myers Long Ross Foster Jimenez
  Powell Jenkins Perry Russell Sullivan Bell Coleman Butler Henderson Barnes Fisher Vasquez Simmons Romero Jordan
  Patterson Alexander Hamilton Graham Reynolds Griffin Wallace Moreno West Cole Hayes Bryant Herrera Gibson Ellis Tran
  Medina Aguilar Stevens Murray Ford Castro Marshall Owens Harrison Fernandez McDonald Woods Washington Kennedy Wells
  Vargas Henry Chen Freeman Webb Tucker Guzman Burns Crawford Olson Simpson Porter Hunter Gordon Mendez Silva Shaw
  Figueiredo Núñez Müller Ångström Dvořák O'Brien`);

export const titles = ['Agent', 'Broker', 'Senior consultant', 'Associate broker', 'Team leader', 'Director'];

/** City, state and postal code. */
export const cities = `
New York|NY|10001,Los Angeles|CA|90001,Chicago|IL|60601,Houston|TX|77001,Phoenix|AZ|85001,Philadelphia|PA|19101
San Antonio|TX|78201,San Diego|CA|92101,Dallas|TX|75201,Austin|TX|78701,Jacksonville|FL|32201,San Jose|CA|95101
Fort Worth|TX|76101,Columbus|OH|43201,Charlotte|NC|28201,Indianapolis|IN|46201,San Francisco|CA|94101,Seattle|WA|98101
Denver|CO|80201,Oklahoma City|OK|73101,Nashville|TN|37201,Washington|DC|20001,El Paso|TX|79901,Las Vegas|NV|89101
Boston|MA|02101,Detroit|MI|48201,Portland|OR|97201,Louisville|KY|40201,Memphis|TN|38101,Baltimore|MD|21201
Milwaukee|WI|53201,Albuquerque|NM|87101,Tucson|AZ|85701,Fresno|CA|93701,Sacramento|CA|94203,Mesa|AZ|85201
Kansas City|MO|64101,Atlanta|GA|30301,Colorado Springs|CO|80901,Omaha|NE|68101,Raleigh|NC|27601,Miami|FL|33101
Virginia Beach|VA|23450,Long Beach|CA|90801,Oakland|CA|94601,Minneapolis|MN|55401,Tulsa|OK|74101,Tampa|FL|33601
Arlington|TX|76001,New Orleans|LA|70112,Wichita|KS|67201,Cleveland|OH|44101,Honolulu|HI|96801,Anchorage|AK|99501
Boise|ID|83701,Salt Lake City|UT|84101,Des Moines|IA|50301,Little Rock|AR|72201,Burlington|VT|05401,Providence|RI|02901`
  .trim()
  .split(/[,\n]/);
