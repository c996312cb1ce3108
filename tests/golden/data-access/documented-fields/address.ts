/**
 * Where a parcel goes.
 * @example { "street": "Kanalweg 4", "zip": "3012", "country": "CH" }
 */
export default interface Address {
  street: string;
  /** @minLength 4 @maxLength 10 */
  zip: string;
  /** ISO 3166 name of the country. @minLength 2 @maxLength 2 @example CH */
  country: string;
}
