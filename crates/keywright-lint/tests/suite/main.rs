//! The rules on whole documents and designs, and their pages. One binary, linked once.

mod by_hand;
mod catalogue;
mod conventions;
mod derived_designs;
mod design_pages;
mod pages;
mod published_mistakes;
mod totality;
