true;
1 & ;
