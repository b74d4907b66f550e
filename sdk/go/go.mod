module barograph

go 1.18
