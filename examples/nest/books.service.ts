import { Injectable } from "@nestjs/common";
import { Books } from "../library/books.ts";

@Injectable()
export class BooksService extends Books {}
